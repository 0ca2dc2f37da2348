import type { CallToolResult } from '@modelcontextprotocol/client';
import { window } from 'vscode';
import type { CatalogTool } from '../../core/catalog/catalogTypes';
import type { ProgressUpdate } from '../../core/connections/connectionTypes';
import type { Hub } from '../../core/hubTypes';
import type { CallOptions } from '../../core/policy/policyTypes';
import { paced, progressText } from '../interop/progress';
import { inertLine } from '../interop/text';

/**
 * A call that the person waits for. Where they cancel and it goes on as a task of the server, they may let it go on
 * instead: then there is nothing here, and the result is delivered when it comes.
 */
export async function callOrLeave(
  hub: Hub,
  tool: CatalogTool,
  args: Readonly<Record<string, unknown>>,
  { signal, ...options }: CallOptions & { readonly signal: AbortSignal },
  report: (status: string, update: ProgressUpdate) => void,
): Promise<CallToolResult | undefined> {
  const stop = new AbortController();
  let task: { readonly server: string; readonly id: string } | undefined;
  const left = new Promise<undefined>((leave) => {
    const decide = async (): Promise<void> => {
      if (task && (await goesOn(tool))) {
        await hub.keepTask(task.server, task.id);
        leave(undefined);
      } else {
        stop.abort();
      }
    };
    signal.addEventListener('abort', () => decide().catch(() => stop.abort()), { once: true });
  });
  const call = hub.callTool(tool.ref, args, {
    ...options,
    signal: stop.signal,
    onTask: (begun) => {
      task = begun;
    },
    onProgress: paced((update) => report(progressText(update, task !== undefined), update)),
  });
  return Promise.race([call, left]);
}

async function goesOn({ key, tool }: CatalogTool): Promise<boolean> {
  const choice = await window.showInformationMessage(
    `${inertLine(tool.name, 60)} runs as a task of ${inertLine(key, 60)}.`,
    { modal: true, detail: 'It can go on without you; you are told when its result is there.' },
    { title: 'Cancel Task' },
    { title: 'Keep Running', isCloseAffordance: true },
  );
  return choice?.title !== 'Cancel Task';
}
