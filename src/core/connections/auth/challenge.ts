import type { FetchLike } from '@modelcontextprotocol/client';

type Reply = Awaited<ReturnType<FetchLike>>;

/** What a refusal says of the sign-in it wants (RFC 6750 section 3, RFC 9728 section 5.1). */
export interface Challenge {
  readonly status: number;
  /** As sent, whole: for the doctor. */
  readonly header: string | undefined;
  /** Absolute, whatever the header had. */
  readonly resourceMetadata?: string;
  readonly scope?: string;
  readonly error?: string;
}

export function readChallenge({ status, headers }: Pick<Reply, 'status' | 'headers'>, server: URL): Challenge {
  const header = headers.get('www-authenticate') ?? undefined;
  const field = (name: string): string | undefined => {
    const [, quoted, token] =
      new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,"]+))`, 'i').exec(header ?? '') ?? [];
    const value = quoted ?? token;
    return value === undefined || value.trim() === '' ? undefined : value.trim();
  };
  const metadata = field('resource_metadata');
  const scope = field('scope');
  const error = field('error');
  return {
    status,
    header,
    ...(metadata !== undefined && URL.canParse(metadata, server.href)
      ? { resourceMetadata: new URL(metadata, server).href }
      : {}),
    ...(scope === undefined ? {} : { scope }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Whether the reply wants a sign-in, or one with more permissions. */
export function isChallenge(reply: Pick<Reply, 'status' | 'headers'>): boolean {
  return (
    reply.status === 401 ||
    (reply.status === 403 && /\binsufficient_scope\b/.test(reply.headers.get('www-authenticate') ?? ''))
  );
}

/** The scopes of several lists, each once (RFC 6749 section 3.3); nothing rather than an empty text. */
export function unite(...scopes: readonly (string | readonly string[] | undefined)[]): string | undefined {
  const all = scopes.flatMap((scope) => (typeof scope === 'string' ? scope.split(/\s+/) : (scope ?? [])));
  return [...new Set(all.filter(Boolean))].join(' ') || undefined;
}
