/** A URL as a person may be shown it: a password before its host is left out, all else stays as it stands. */
export function shownUrl(url: string): string {
  // The colon in `${input:name}` does not begin the password.
  return url.replace(/^(\w[\w+.-]*:\/\/(?:\$\{[^}]*\}|\$(?!\{)|[^/?#:$])*):[^/?#]*@/, '$1:•••@');
}
