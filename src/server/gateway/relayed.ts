import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Logger } from '../../base/log';
import type { ProgressUpdate, RequestOptions } from '../../core/connections/connectionTypes';
import { chatAnswerer } from './chatAnswerer';

/**
 * Runs a client's request upstream with what it brought along; that client answers what the request leads to. Progress
 * is on its way before the result is.
 */
export async function relayed<T>(
  server: Server,
  context: ServerContext,
  log: Logger,
  run: (options: RequestOptions) => Promise<T>,
): Promise<T> {
  const { progressToken, ...meta } = context.mcpReq._meta ?? {};
  let told: Promise<unknown> = Promise.resolve();
  let last: ProgressUpdate = { progress: 0 };
  const report = (update: ProgressUpdate): void => {
    last = update;
    if (progressToken === undefined) {
      return;
    }
    const sent = context.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, ...update } })
      .catch((error: unknown) => log.debug(`Progress was not passed on: ${String(error)}`));
    told = Promise.all([told, sent]);
  };
  // Progress must grow (spec: basic/utilities/progress): by less than any server counts in.
  const tell = (message: string): void => report({ ...last, progress: last.progress + 0.001, message });
  try {
    return await run({
      signal: context.mcpReq.signal,
      answerer: chatAnswerer(server, context, tell),
      ...(Object.keys(meta).length === 0 ? {} : { meta }),
      ...(progressToken === undefined ? {} : { onProgress: report }),
    });
  } finally {
    await told;
  }
}
