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
  let last: ProgressUpdate | undefined;
  const report = (update: ProgressUpdate): void => {
    // Progress must grow (spec: basic/utilities/progress): by less than any server counts in, where it does not by itself.
    last =
      last === undefined || update.progress > last.progress ? update : { ...update, progress: last.progress + 0.001 };
    if (progressToken === undefined) {
      return;
    }
    const sent = context.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, ...last } })
      .catch((error: unknown) => log.debug(`Progress was not passed on: ${String(error)}`));
    told = Promise.all([told, sent]);
  };
  const tell = (message: string): void => report({ progress: 0, ...last, message });
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
