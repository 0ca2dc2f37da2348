import { InputBoxValidationSeverity, window } from 'vscode';
import { DisposableStore } from '../../base/disposable';
import type { Recognition, RecognizedServer } from '../../core/config/configTypes';
import { inertLine } from '../interop/text';

export const title = 'Add Server';

/** The one box that takes anything; the line below says what was understood. Nothing when it was closed. */
export function askWhat(
  recognize: (text: string) => Promise<Recognition>,
  value: string,
): Promise<{ readonly text: string; readonly servers: readonly RecognizedServer[] } | undefined> {
  const store = new DisposableStore();
  const box = store.add(window.createInputBox());
  box.title = title;
  box.step = 1;
  box.totalSteps = 2;
  box.ignoreFocusOut = true;
  box.placeholder = 'Command line, address, package, image, JSON or install link';
  box.prompt = 'Paste what the server’s page gives you';
  box.value = value;
  return new Promise((resolve) => {
    let latest = 0;
    const understand = async (): Promise<Recognition | undefined> => {
      const turn = ++latest;
      const text = box.value;
      if (!text.trim()) {
        box.validationMessage = undefined;
        return undefined;
      }
      const recognition = await recognize(text);
      if (turn !== latest || store.isDisposed) {
        return undefined;
      }
      box.validationMessage = toMessage(recognition);
      return recognition;
    };
    store.add(box.onDidChangeValue(() => void understand()));
    store.add(
      box.onDidAccept(async () => {
        const recognition = await understand();
        if (recognition?.kind === 'servers') {
          resolve({ text: box.value, servers: recognition.servers });
          box.hide();
        }
      }),
    );
    store.add(
      box.onDidHide(() => {
        resolve(undefined);
        store.dispose();
      }),
    );
    box.show();
    void understand();
  });
}

function toMessage(recognition: Recognition) {
  if (recognition.kind === 'nothing') {
    return { message: inertLine(recognition.reason), severity: InputBoxValidationSeverity.Warning };
  }
  const [first] = recognition.servers;
  const message =
    recognition.servers.length === 1 && first
      ? inertLine(first.summary, 300)
      : `${recognition.servers.length} servers: ${recognition.servers.map(({ key }) => inertLine(key, 40)).join(', ')}`;
  return { message, severity: InputBoxValidationSeverity.Info };
}

/** Another name where the wanted one is taken. Nothing when it was closed. */
export async function askName(
  wanted: string,
  where: string,
  isTaken: (key: string) => boolean,
): Promise<string | undefined> {
  let number = 2;
  while (isTaken(`${wanted}-${number}`)) {
    number += 1;
  }
  return window.showInputBox({
    title,
    value: `${wanted}-${number}`,
    prompt: `"${inertLine(wanted, 60)}" is taken. Enter adds it to ${where} under this name.`,
    ignoreFocusOut: true,
    validateInput: (key) =>
      key.trim() === ''
        ? 'A server needs a name.'
        : isTaken(key.trim())
          ? `"${inertLine(key, 60)}" is taken, too.`
          : undefined,
  });
}
