import { type Disposable, DisposableStore } from '../../../../../src/base/disposable';
import { NullLogger } from '../../../../../src/base/log';
import { createFileOffers } from '../../../../../src/server/editor/files/fileOffers';
import { editorWorker } from '../../../../harness/editorWorker';
import { TemporaryWorkspace } from './temporaryWorkspace';

/** The definitions of the tools for files. */
export async function offersOf(): Promise<
  Disposable & { readonly tools: readonly { readonly name: string; readonly inputSchema: object }[] }
> {
  const store = new DisposableStore();
  const ws = store.add(new TemporaryWorkspace(['ws']));
  const { workspace, documents, settings } = ws;
  const offers = store.add(
    createFileOffers({ workspace, documents, settings }, await editorWorker(), new NullLogger()),
  );
  return { tools: offers.set.tools.map(({ definition }) => definition), dispose: () => store.dispose() };
}
