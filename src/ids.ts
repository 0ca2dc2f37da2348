/** The extension's id, `publisher.name`. */
export const extensionId = 'portico-mcp.portico';

/** Commands of package.json and the few internal ones, by what they do. `CommandArguments` gives their argument types. */
export const commands = {
  addServer: 'portico.addServer',
  startServer: 'portico.startServer',
  stopServer: 'portico.stopServer',
  restartServer: 'portico.restartServer',
  startAll: 'portico.startAll',
  stopAll: 'portico.stopAll',
  showServerLog: 'portico.showServerLog',
  showServerDetails: 'portico.showServerDetails',
  editServerConfiguration: 'portico.editServerConfiguration',
  turnOn: 'portico.turnOn',
  turnOff: 'portico.turnOff',
  letPorticoRunIt: 'portico.letPorticoRunIt',
  reviewServer: 'portico.reviewServer',
  trustServer: 'portico.trustServer',
  copyServerName: 'portico.copyServerName',
  copyServerEntry: 'portico.copyServerEntry',
  runTool: 'portico.runTool',
  findTool: 'portico.findTool',
  filterActivity: 'portico.filterActivity',
  clearActivityFilter: 'portico.clearActivityFilter',
  clearActivity: 'portico.clearActivity',
  openCallLog: 'portico.openCallLog',
  openCallRecord: 'portico.openCallRecord',
  runAgain: 'portico.runAgain',
  approveWaitingCall: 'portico.approveWaitingCall',
  answerApproval: 'portico.answerApproval',
  forgetApprovals: 'portico.forgetApprovals',
  openSettings: 'portico.openSettings',
  openWalkthrough: 'portico.openWalkthrough',
  showMenu: 'portico.showMenu',
} as const;

export type CommandId = (typeof commands)[keyof typeof commands];

/** A row of a view as a command receives it, or the id alone where code calls the command. */
export type ServerArgument = { readonly server: string } | string | undefined;

/** Argument types of the commands that take any; all others take none. */
export interface CommandArguments {
  'portico.startServer': [ServerArgument?];
  'portico.stopServer': [ServerArgument?];
  'portico.restartServer': [ServerArgument?];
  'portico.showServerLog': [ServerArgument?];
  'portico.showServerDetails': [ServerArgument?];
  'portico.editServerConfiguration': [ServerArgument?];
  'portico.turnOn': [ServerArgument?];
  'portico.turnOff': [ServerArgument?];
  'portico.letPorticoRunIt': [ServerArgument?];
  'portico.reviewServer': [ServerArgument?];
  'portico.trustServer': [ServerArgument?];
  'portico.copyServerName': [ServerArgument?];
  'portico.copyServerEntry': [ServerArgument?];
  /** A tool row, or nothing to pick one; `args` prefill the form. */
  'portico.runTool': [
    { readonly server: string; readonly tool: string; readonly args?: Readonly<Record<string, unknown>> }?,
  ];
  'portico.openCallRecord': [{ readonly call: string }?];
  /** A row of Activity, or the address of a result's document. */
  'portico.runAgain': [({ readonly call: string } | { readonly scheme: string; readonly path: string })?];
  'portico.approveWaitingCall': [{ readonly call: string }?];
  /** The waiting call's id, and the answer as `core/policy` has it. */
  'portico.answerApproval': [string, unknown];
}

export const views = {
  container: 'portico',
  servers: 'portico.servers',
  activity: 'portico.activity',
} as const;

export const settings = {
  section: 'portico',
  servers: 'portico.servers',
  start: 'portico.start',
  configSources: 'portico.config.sources',
  chatPublish: 'portico.chat.publish',
  chatBrokerTools: 'portico.chat.brokerTools',
  trustedServers: 'portico.trust.servers',
  startTimeout: 'portico.advanced.startTimeout',
  requestTimeout: 'portico.advanced.requestTimeout',
} as const;

/** Context keys that `when` clauses of package.json read. */
export const contextKeys = {
  hasServers: 'portico.hasServers',
  loaded: 'portico.loaded',
  hasWaitingCalls: 'portico.hasWaitingCalls',
  hasCalls: 'portico.hasCalls',
  usedInChat: 'portico.usedInChat',
  brokerTools: 'portico.brokerTools',
  activityFiltered: 'portico.activityFiltered',
} as const;

/** The provider of server definitions for the editor's chat. */
export const definitionProviderId = 'portico.servers';

export const participantId = 'portico.participant';
export const participantName = 'portico';

/** Broker tools, as models see them. */
export const brokerTools = {
  search: 'portico_search_tools',
  describe: 'portico_describe_tool',
  call: 'portico_call_tool',
  read: 'portico_read_resource',
} as const;

/** The read-only file system of results and call records. */
export const scheme = 'portico-mcp';

export const walkthroughId = 'portico.start';
