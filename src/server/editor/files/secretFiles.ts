import { compileGlobs } from './globs';

/** What is never given to agents, unless the person's settings say otherwise. */
export const defaultSecrets: readonly string[] = [
  '.env*',
  '*.env',
  '!.env.example',
  '!.env.sample',
  '!.env.template',
  '.envrc',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  '*.kdbx',
  '*.ppk',
  '*.asc',
  '*.gpg',
  '*.ovpn',
  '*.tfstate',
  '*.tfstate.*',
  '*.tfvars',
  '!*.tfvars.example',
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker/config.json',
  '.git',
  '.git-credentials',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.htpasswd',
  '.vault-token',
  'credentials',
  'credentials.json',
  'credentials.{yml,yaml,toml,ini}',
  'client_secret*.json',
  'service-account*.json',
  'service_account*.json',
  'secrets.{json,yml,yaml,toml,ini}',
  '.secrets',
  'kubeconfig',
];

/**
 * The person's list of secret files. A glob without a slash goes for names at any depth, one with a slash for paths from the
 * folder on; what matches a directory goes for all in it. `!` before a glob lets out what others would hold back.
 * Letters match in both cases.
 */
export class SecretFiles {
  private readonly names: (name: string) => boolean;
  private readonly paths: (path: string) => boolean;
  /** What the last name of a path must be for `paths` to have it at all: that is cheaper to tell. */
  private readonly lastNames: (name: string) => boolean;
  private readonly allowedNames: (name: string) => boolean;
  private readonly allowedPaths: (path: string) => boolean;

  constructor(globs: readonly string[]) {
    const allowed = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
    const held = globs.filter((glob) => !glob.startsWith('!'));
    this.names = compileNames(held);
    this.paths = compilePaths(held);
    this.lastNames = compileLastNames(held);
    this.allowedNames = compileNames(allowed);
    this.allowedPaths = compilePaths(allowed);
  }

  /** Of a file or directory, by the segments that lead to it from its folder. */
  has(segments: readonly string[]): boolean {
    const path = segments.join('/');
    let end = -1;
    return segments.some((name) => {
      end += name.length + 1;
      // Each step looks at one name alone as far as it can, as paths may have thousands.
      return (this.names(name) || this.lastNames(name)) && this.holds(path.slice(0, end));
    });
  }

  /** The same for a path that is known to lie in no secret directory. */
  holds(path: string): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return (this.names(name) || this.paths(path)) && !this.allowedNames(name) && !this.allowedPaths(path);
  }
}

function compileNames(globs: readonly string[]): (name: string) => boolean {
  return compileGlobs(
    globs.filter((glob) => !glob.includes('/')),
    { anyCase: true },
  );
}

/** The path globs go for any depth too, as people write `.docker/config.json` for what lies deeper. */
function compilePaths(globs: readonly string[]): (path: string) => boolean {
  return compileGlobs(
    globs.filter((glob) => glob.includes('/')).map((glob) => (glob.startsWith('/') ? glob.slice(1) : `**/${glob}`)),
    { anyCase: true },
  );
}

function compileLastNames(globs: readonly string[]): (name: string) => boolean {
  const last = globs
    .filter((glob) => glob.includes('/'))
    .map((glob) => (/[{[]|\/(?:\*\*)?$/.test(glob) ? '*' : glob.slice(glob.lastIndexOf('/') + 1)));
  return compileGlobs(last, { anyCase: true });
}
