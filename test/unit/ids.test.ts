import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ids from '../../src/ids';

interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly main: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<
      Record<string, readonly { readonly command?: string; readonly when?: string; readonly group?: string }[]>
    >;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
    readonly chatParticipants: readonly { readonly id: string; readonly name: string }[];
    readonly languageModelTools: readonly { readonly name: string }[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly walkthroughs?: readonly { readonly id: string }[];
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(text) as Manifest;
const { contributes } = manifest;
const contributedCommands = contributes.commands.map(({ command }) => command);
const contributedViews = [contributes.viewsContainers.activitybar, ...Object.values(contributes.views)]
  .flat()
  .map(({ id }) => id);

/** All `when` and `enablement` clauses, and the keys that complete a walkthrough's steps. */
const clauses = [...text.matchAll(/"(?:(?:when|enablement)": "|onContext:)((?:[^"\\]|\\.)*)"/g)].map(
  ([, clause]) => clause ?? '',
);

describe('ids and package.json', () => {
  it('name the extension', () => {
    assert.equal(ids.extensionId, `${manifest.publisher}.${manifest.name}`);
  });

  it('agree on the commands', () => {
    assert.deepEqual(new Set(contributedCommands).size, contributedCommands.length);
    const known: readonly string[] = Object.values(ids.commands);
    assert.deepEqual(
      contributedCommands.filter((id) => !known.includes(id)),
      [],
    );
    // Whatever isn't contributed is for code only, and so must be registered by it.
    const internal = Object.entries(ids.commands).filter(([, id]) => !contributedCommands.includes(id));
    const sources = readSources();
    assert.deepEqual(
      internal.filter(([key]) => !sources.includes(`commands.${key}`)),
      [],
    );
  });

  it('agree on what menus, welcome texts and walkthroughs run', () => {
    const inMenus = Object.values(contributes.menus)
      .flat()
      .flatMap(({ command }) => command ?? []);
    const inLinks = [...text.matchAll(/command:(portico(?:\.\w+)+)/g)].map(([, id]) => id ?? '');
    const focusCommands = contributedViews.map((id) => `${id}.focus`);
    assert.deepEqual(
      [...inMenus, ...inLinks].filter((id) => ![...contributedCommands, ...focusCommands].includes(id)),
      [],
    );
  });

  it('offer on a row that waits for a sign-in what a failed one has', () => {
    const offered = (row: string, group: RegExp): readonly string[] =>
      (contributes.menus['view/item/context'] ?? [])
        .filter((item) => group.test(item.group ?? '') && matches(item.when ?? '', row))
        .flatMap(({ command }) => command ?? []);
    const { signIn, startServer, showServerLog, editServerConfiguration } = ids.commands;
    assert.deepEqual(offered('server.signInRequired.remote', /^inline/), [
      showServerLog,
      editServerConfiguration,
      signIn,
    ]);
    assert.deepEqual(offered('server.signInRequired.remote', /^1_run@1$/), [signIn, startServer]);
    assert.ok(!offered('server.failed.remote', /^(inline|1_run)/).includes(signIn));
  });

  it('agree on the views', () => {
    assert.deepEqual(contributedViews.sort(), Object.values<string>(ids.views).sort());
    const inClauses = clauses.flatMap((clause) =>
      [...clause.matchAll(/\bview == ([\w.]+)/g)].map(([, id]) => id ?? ''),
    );
    assert.deepEqual(
      inClauses.filter((id) => !contributedViews.includes(id)),
      [],
    );
  });

  it('agree on the settings', () => {
    const contributed = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    const { section, ...settings } = ids.settings;
    assert.deepEqual(contributed.sort(), Object.values<string>(settings).sort());
    assert.ok(contributed.every((key) => key.startsWith(`${section}.`)));
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.deepEqual(
      restrictedConfigurations.filter((key) => !contributed.includes(key)),
      [],
    );
  });

  it('agree on the context keys', () => {
    const used = clauses
      .flatMap((clause) => clause.match(/\bportico\.\w+(\.\w+)*/g) ?? [])
      .filter((key) => !contributedViews.includes(key));
    const known = Object.values<string>(ids.contextKeys);
    assert.deepEqual([...new Set(used)].sort(), known.sort());
  });

  it('agree on the participant, the tools, the provider, the scheme and the walkthrough', () => {
    assert.deepEqual(
      contributes.chatParticipants.map(({ id, name }) => [id, name]),
      [[ids.participantId, ids.participantName]],
    );
    assert.deepEqual(
      contributes.languageModelTools.map(({ name }) => name).sort(),
      Object.values<string>(ids.brokerTools).sort(),
    );
    assert.deepEqual(
      contributes.mcpServerDefinitionProviders.map(({ id }) => id),
      [ids.definitionProviderId],
    );
    assert.ok(manifest.activationEvents.includes(`onFileSystem:${ids.scheme}`));
    assert.deepEqual(
      (contributes.walkthroughs ?? []).map(({ id }) => id),
      [ids.walkthroughId],
    );
  });
});

/** Whether a clause about rows of the Servers view holds for this one. */
function matches(when: string, row: string): boolean {
  const [, pattern] = /^view == portico\.servers && viewItem =~ \/(.*)\/$/.exec(when) ?? [];
  return pattern !== undefined && new RegExp(pattern).test(row);
}

function readSources(): string {
  const paths = readdirSync('src/vscode', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return paths.map((path) => readFileSync(join('src/vscode', path), 'utf8')).join('\n');
}
