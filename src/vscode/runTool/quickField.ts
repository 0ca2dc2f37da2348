import { type QuickPickItem, window } from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { type FieldValue, type FormField, parseField } from '../interop/formModel';
import { inertLine } from '../interop/text';

export interface QuickQuestion {
  /** `files — read_file: path` */
  readonly title: string;
  readonly field: FormField;
  /** A reason why the value will not do, found out on Enter; nothing lets it pass. */
  check(value: unknown): Promise<string | undefined>;
}

const runs = 'the tool runs on Enter';

/** Asks for the one argument of a tool. Gives its value (`undefined` where it is to be left out), or nothing when closed. */
export async function askField(question: QuickQuestion): Promise<{ readonly value: unknown } | undefined> {
  const { control } = question.field;
  return control.kind === 'boolean' || control.kind === 'select' ? choose(question) : type(question);
}

async function choose({ title, field }: QuickQuestion): Promise<{ readonly value: unknown } | undefined> {
  const options: readonly { readonly label: string; readonly value: FieldValue }[] =
    field.control.kind === 'select'
      ? field.control.options.map(({ label, json }) => ({ label: inertLine(label, 100), value: json }))
      : [
          { label: 'true', value: true },
          { label: 'false', value: false },
        ];
  const items: (QuickPickItem & { readonly value: FieldValue })[] = options.map((option) => ({
    ...option,
    ...(option.value === field.initial ? { description: 'default', picked: true } : {}),
  }));
  items.sort((left, right) => Number(right.value === field.initial) - Number(left.value === field.initial));
  if (!field.required) {
    items.push({ label: 'Leave out', description: 'the tool uses its own default', value: undefined });
  }
  const placeHolder = [inertLine(field.description ?? '', 120), runs].filter(Boolean).join(' · ');
  const picked = await window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true });
  const parsed = picked && parseField(field, picked.value);
  return parsed && 'value' in parsed ? parsed : undefined;
}

async function type({ title, field, check }: QuickQuestion): Promise<{ readonly value: unknown } | undefined> {
  const store = new DisposableStore();
  const input = store.add(window.createInputBox());
  input.title = title;
  input.ignoreFocusOut = true;
  input.value = typeof field.initial === 'string' ? field.initial : '';
  input.password = field.control.kind === 'text' && field.control.format === 'password';
  input.prompt = [inertLine(field.description ?? '', 300), field.required ? '' : 'optional', runs]
    .filter(Boolean)
    .join(' · ');
  const raw = (): FieldValue => (input.value === '' && field.initial === undefined ? undefined : input.value);
  try {
    return await new Promise((resolve) => {
      store.add(input.onDidChangeValue(() => (input.validationMessage = undefined)));
      store.add(input.onDidHide(() => resolve(undefined)));
      store.add(
        input.onDidAccept(async () => {
          const parsed = parseField(field, raw());
          input.busy = true;
          const reason = 'error' in parsed ? parsed.error : await check(parsed.value);
          input.busy = false;
          if (reason !== undefined) {
            input.validationMessage = inertLine(reason, 400);
          } else if ('value' in parsed) {
            resolve(parsed);
          }
        }),
      );
      input.show();
    });
  } finally {
    store.dispose();
  }
}
