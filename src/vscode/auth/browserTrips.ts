import { env, ProgressLocation, UIKind, Uri, window } from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { cancelled } from '../../base/errors';
import type { Logger } from '../../base/log';
import { orAborted } from '../../base/orAborted';
import { readWebAddress } from '../../base/webAddress';
import type { ServerDefinition } from '../../core/config/configTypes';
import type { AuthorizationTrip, AuthorizationUi, ReturnWay } from '../../core/connections/auth/authTypes';
import { extensionId } from '../../ids';
import { toSignal } from '../interop/cancellation';
import { inertLine } from '../interop/text';
import { authorizationPage, pageQuestion } from './authorizationPage';
import { listenForReturn } from './loopbackReturn';
import { PendingReturns, returnParameters } from './pendingReturns';

/** Trips of the person's browser to authorization servers and back. */
export class BrowserTrips implements AuthorizationUi {
  private readonly returns: PendingReturns;

  constructor(private readonly log: Logger) {
    this.returns = new PendingReturns(log);
  }

  /** A return by the editor's own address. */
  receive(uri: Uri): void {
    this.returns.take(returnParameters(uri.query, env.uiKind === UIKind.Desktop))?.();
  }

  async begin(server: ServerDefinition, state: string, way?: ReturnWay): Promise<AuthorizationTrip> {
    const store = new DisposableStore();
    try {
      const address = await this.comeBack(store, way);
      const pending = store.add(this.returns.expect(state));
      const givenUp = new AbortController();
      store.defer(() => givenUp.abort());
      return {
        ...address,
        go: (url, signal) =>
          visit(server, url, address.redirectUrl, pending.returned, AbortSignal.any([signal, givenUp.signal])),
        dispose: () => store.dispose(),
      };
    } catch (error) {
      store.dispose();
      throw error;
    }
  }

  /** Where the browser comes back to. The spec allows https and loopback alone, which `vscode:` is not. */
  private async comeBack(
    store: DisposableStore,
    wanted: ReturnWay | undefined,
  ): Promise<Pick<AuthorizationTrip, 'way' | 'redirectUrl'>> {
    const editor = await editorAddress();
    const isAllowed = !('refused' in readWebAddress(editor));
    if (wanted === 'editor' || (wanted === undefined && isAllowed)) {
      return { way: 'editor', redirectUrl: editor };
    }
    try {
      const { url } = store.add(await listenForReturn(this.returns));
      return { way: 'loopback', redirectUrl: await outsideAddress(url) };
    } catch (error) {
      if (wanted !== undefined) {
        throw error;
      }
      this.log.warn(`Nothing can be listened at for the browser's return; ${editor} takes its place. ${String(error)}`);
      return { way: 'editor', redirectUrl: editor };
    }
  }
}

/** The editor's address for this extension as the person's browser reaches it: in the web a page, else `vscode:`. */
function editorAddress(): Promise<string> {
  return outsideAddress(`${env.uriScheme}://${extensionId}/auth`);
}

/** An address as the person's machine has it; where that is this machine, the same. */
async function outsideAddress(address: string): Promise<string> {
  const uri = await env.asExternalUri(Uri.parse(address, true));
  // Encoded once more, an address with a query is another one.
  return uri.toString(true);
}

async function visit(
  server: ServerDefinition,
  url: URL,
  redirectUrl: string,
  returned: Promise<URLSearchParams>,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  const page = authorizationPage(server, url.href);
  const name = inertLine(server.key, 80);
  const what = `The sign-in to "${name}"`;
  const { message, detail } = pageQuestion(server, page, redirectUrl);
  const asked = window.showInformationMessage(message, { modal: true, detail }, 'Open Browser', 'Copy Address');
  const choice = await orAborted(Promise.resolve(asked), signal, what);
  if (choice === 'Copy Address') {
    await env.clipboard.writeText(page.url);
  } else if (choice === 'Open Browser') {
    await openPage(page.url);
  } else {
    throw cancelled(what);
  }
  return window.withProgress(
    {
      location: ProgressLocation.Notification,
      title: `Sign in to "${name}" in your browser, at ${page.host}`,
      cancellable: true,
    },
    async (_, token) => {
      const cancel = toSignal(token);
      try {
        return await orAborted(returned, AbortSignal.any([signal, cancel.signal]), what);
      } finally {
        cancel.dispose();
      }
    },
  );
}

/**
 * Opens the page in the browser. A `Uri` cannot hold every address: encoding it again turns `%26` inside a parameter into
 * `&` or `%2526`, so the editor gets the text, which it opens as it is. Where it says that nothing was opened the person
 * may have copied the address instead, so that the return is waited for all the same.
 */
async function openPage(url: string): Promise<void> {
  await env.openExternal(url as unknown as Uri);
}
