const plain = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;

/**
 * The last part of an endpoint's path: the server's id as it is where that is plain, else `~` and its base64url. Not
 * percent-encoded, because the editor decodes the path of a socket's URI once before it sends it.
 */
export function routeOf(id: string): string {
  return plain.test(id) ? id : `~${Buffer.from(id, 'utf8').toString('base64url')}`;
}

/** Whether a path's last part means this id; a percent-encoded id is understood too. */
export function routeMeans(rest: string, id: string): boolean {
  return rest === routeOf(id) || rest === encodeURIComponent(id);
}
