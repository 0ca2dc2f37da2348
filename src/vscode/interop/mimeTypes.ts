/** Endings of names by MIME type; a document gets the first unless its name has one of them. */
const endings: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'text/markdown text/x-markdown': 'md markdown mdx',
    'application/json text/json': 'json jsonc geojson jsonld har map webmanifest',
    'application/jsonl application/x-ndjson application/x-jsonlines': 'jsonl ndjson',
    'text/html application/xhtml+xml': 'html htm xhtml',
    'text/css': 'css',
    'text/x-scss': 'scss',
    'text/x-less': 'less',
    'text/javascript application/javascript application/x-javascript': 'js mjs cjs jsx',
    'text/typescript application/typescript text/x-typescript': 'ts mts cts tsx',
    'text/xml application/xml': 'xml xsd xsl xslt svg plist',
    'text/csv': 'csv',
    'text/tab-separated-values': 'tsv',
    'text/yaml application/yaml text/x-yaml application/x-yaml text/vnd.yaml': 'yaml yml',
    'application/toml text/toml text/x-toml': 'toml',
    'text/x-python text/x-script.python application/x-python application/x-python-code': 'py pyi pyw',
    'text/x-java text/x-java-source': 'java',
    'text/x-c text/x-csrc': 'c h',
    'text/x-c++ text/x-c++src text/x-cpp': 'cpp cc cxx hpp h',
    'text/x-csharp': 'cs',
    'text/x-go text/x-golang': 'go',
    'text/x-rust text/rust': 'rs',
    'text/x-ruby application/x-ruby': 'rb',
    'text/x-php application/x-php application/x-httpd-php': 'php',
    'text/x-sh text/x-shellscript application/x-sh': 'sh bash zsh',
    'text/x-powershell': 'ps1 psm1',
    'text/x-sql application/sql': 'sql',
    'text/x-kotlin': 'kt kts',
    'text/x-swift': 'swift',
    'text/x-lua': 'lua',
    'text/x-perl': 'pl pm',
    'text/x-r': 'r',
    'text/x-diff text/x-patch': 'diff patch',
    'text/x-ini': 'ini cfg conf',
    'text/x-dockerfile': 'dockerfile',
    'text/x-log': 'log',
    'application/graphql': 'graphql gql',
    'text/calendar': 'ics',
    'image/png': 'png',
    'image/jpeg image/jpg': 'jpg jpeg jpe',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'image/bmp': 'bmp',
    'image/avif': 'avif',
    'image/x-icon image/vnd.microsoft.icon': 'ico',
    'image/svg+xml': 'svg',
    'audio/mpeg audio/mp3': 'mp3',
    'audio/wav audio/x-wav audio/wave': 'wav',
    'audio/ogg': 'ogg oga',
    'video/mp4': 'mp4',
    'video/webm': 'webm',
    'application/pdf': 'pdf',
    'application/zip': 'zip',
    'application/gzip application/x-gzip': 'gz tgz',
  }).flatMap(([types, names]) => types.split(' ').map((type) => [type, names.split(' ')] as const)),
);
const structured: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'application/yaml',
};

/** What the editor shows in a viewer of its own: pictures, sound, films. */
const viewed = /\.(png|jpe?g|jpe|gif|webp|bmp|avif|ico|mp3|wav|ogg|oga|mp4|webm)$/i;

/** The type without its parameters, in lower case. */
export function essence(mimeType: string | undefined): string {
  return (mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The endings that a MIME type asks for, the usual one first; none where it says nothing (`text/plain`, `x/unknown`). */
export function endingsOf(mimeType: string | undefined): readonly string[] {
  const type = essence(mimeType);
  const suffix = structured[/\+(\w+)$/.exec(type)?.[1] ?? ''] ?? '';
  return endings.get(type) ?? endings.get(suffix) ?? [];
}

/** Whether the editor has a viewer for the bytes of a file of this name. */
export function hasViewer(name: string): boolean {
  return viewed.test(name);
}
