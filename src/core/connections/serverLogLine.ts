const LONGEST = 2_000;

/** A server's log message (`notifications/message`) as one line of its log. */
export function serverLogLine(params: Readonly<Record<string, unknown>>): string {
  const { level, logger, data } = params;
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  const from = typeof logger === 'string' && logger !== '' ? ` ${logger}` : '';
  return `[${typeof level === 'string' ? level : 'info'}]${from} ${text.slice(0, LONGEST)}`;
}
