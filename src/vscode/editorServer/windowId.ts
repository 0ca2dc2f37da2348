import { randomUUID } from 'node:crypto';
import type { Memento } from 'vscode';
import { answersAt } from '../../server/discovery/probe';
import { porticoHome, readRecords, recordDirectory } from '../../server/discovery/recordFiles';

const key = 'portico.window';

/** Of this window: the same after a reload. Another one for a second window of the same workspace, as browsers open them. */
export async function windowId(workspaceState: Memento): Promise<string> {
  const known = workspaceState.get<string>(key);
  if (known === undefined) {
    const id = randomUUID();
    await workspaceState.update(key, id);
    return id;
  }
  const other = (await readRecords(recordDirectory(porticoHome()))).find(({ id }) => id === known);
  return other !== undefined && (await answersAt(other.address)) ? randomUUID() : known;
}
