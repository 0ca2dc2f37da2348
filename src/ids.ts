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
  signIn: 'portico.signIn',
  signOut: 'portico.signOut',
  diagnoseSignIn: 'portico.diagnoseSignIn',
  copyServerName: 'portico.copyServerName',
  copyServerEntry: 'portico.copyServerEntry',
  runTool: 'portico.runTool',
  findTool: 'portico.findTool',
  cancelTask: 'portico.cancelTask',
  openTaskResult: 'portico.openTaskResult',
  openResource: 'portico.openResource',
  findResource: 'portico.findResource',
  openTemplate: 'portico.openTemplate',
  copyResourceUri: 'portico.copyResourceUri',
  saveResourceAs: 'portico.saveResourceAs',
  reloadResource: 'portico.reloadResource',
  attachResource: 'portico.attachResource',
  refreshResources: 'portico.refreshResources',
  showResourcesAsList: 'portico.showResourcesAsList',
  showResourcesAsTree: 'portico.showResourcesAsTree',
  runPrompt: 'portico.runPrompt',
  sendPromptToPortico: 'portico.sendPromptToPortico',
  sendPromptToChat: 'portico.sendPromptToChat',
  insertPrompt: 'portico.insertPrompt',
  copyPrompt: 'portico.copyPrompt',
  changeRoots: 'portico.changeRoots',
  continueReview: 'portico.continueReview',
  showModelRequests: 'portico.showModelRequests',
  filterActivity: 'portico.filterActivity',
  clearActivityFilter: 'portico.clearActivityFilter',
  clearActivity: 'portico.clearActivity',
  openCallLog: 'portico.openCallLog',
  openAgentReads: 'portico.openAgentReads',
  openAgentRead: 'portico.openAgentRead',
  showAgentReads: 'portico.showAgentReads',
  openCallRecord: 'portico.openCallRecord',
  runAgain: 'portico.runAgain',
  approveWaitingCall: 'portico.approveWaitingCall',
  answerApproval: 'portico.answerApproval',
  forgetApprovals: 'portico.forgetApprovals',
  openSettings: 'portico.openSettings',
  openWalkthrough: 'portico.openWalkthrough',
  connectAgent: 'portico.connectAgent',
  copyBridgeCommand: 'portico.copyBridgeCommand',
  stopSharing: 'portico.stopSharing',
  acceptProposal: 'portico.acceptProposal',
  rejectProposal: 'portico.rejectProposal',
  showMenu: 'portico.showMenu',
} as const;

export type CommandId = (typeof commands)[keyof typeof commands];

/** A row of a view as a command receives it, or the id alone where code calls the command. */
export type ServerArgument = { readonly server: string } | string | undefined;

/** A resource by its server's id and the URI exactly as the server has it; the rows of the Resources view are such. */
export interface ResourceArgument {
  readonly server: string;
  readonly uri: string;
  /** One of several contents of a read, by its place. */
  readonly part?: number;
}

/** The address of an open document, as menus of its tab give it. */
export interface DocumentArgument {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}

/** A row of a task: the ids of its server and its own. */
export interface TaskArgument {
  readonly server: string;
  readonly task: string;
}

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
  'portico.signIn': [ServerArgument?];
  'portico.signOut': [ServerArgument?];
  'portico.diagnoseSignIn': [ServerArgument?];
  'portico.copyServerName': [ServerArgument?];
  'portico.copyServerEntry': [ServerArgument?];
  /** A tool row, or nothing to pick one; `args` prefill the form. */
  'portico.runTool': [
    { readonly server: string; readonly tool: string; readonly args?: Readonly<Record<string, unknown>> }?,
  ];
  'portico.cancelTask': [TaskArgument?];
  'portico.openTaskResult': [TaskArgument?];
  'portico.openResource': [ResourceArgument];
  'portico.openTemplate': [{ readonly server: string; readonly template: string }?];
  /** The row it was chosen on, and all selected rows; for neither, what is selected in the view. */
  'portico.copyResourceUri': [
    ({ readonly uri: string } | { readonly template: string } | DocumentArgument)?,
    (readonly unknown[])?,
  ];
  'portico.saveResourceAs': [(ResourceArgument | DocumentArgument)?];
  'portico.reloadResource': [DocumentArgument];
  /** The row it was chosen on, and all selected rows. */
  'portico.attachResource': [(ResourceArgument | DocumentArgument)?, (readonly unknown[])?];
  'portico.runPrompt': [
    { readonly server: string; readonly prompt: string; readonly args?: Readonly<Record<string, string>> }?,
  ];
  'portico.sendPromptToPortico': [DocumentArgument?];
  'portico.sendPromptToChat': [DocumentArgument?];
  'portico.insertPrompt': [DocumentArgument?];
  'portico.copyPrompt': [DocumentArgument?];
  /** The proposed text's document; for none, the active diff. */
  'portico.acceptProposal': [DocumentArgument?];
  'portico.rejectProposal': [DocumentArgument?];
  'portico.changeRoots': [ServerArgument?];
  'portico.showModelRequests': [ServerArgument?];
  'portico.openCallRecord': [{ readonly call: string }?];
  /** A row of what agents read. */
  'portico.openAgentRead': [{ readonly read: number }];
  /** A row of Activity, or the address of a result's document. */
  'portico.runAgain': [({ readonly call: string } | { readonly scheme: string; readonly path: string })?];
  'portico.approveWaitingCall': [{ readonly call: string }?];
  /** The waiting call's id, and the answer as `core/policy` has it. */
  'portico.answerApproval': [string, unknown];
}

export const views = {
  container: 'portico',
  servers: 'portico.servers',
  resources: 'portico.resources',
  activity: 'portico.activity',
} as const;

export const settings = {
  section: 'portico',
  servers: 'portico.servers',
  start: 'portico.start',
  configSources: 'portico.config.sources',
  chatPublish: 'portico.chat.publish',
  chatBrokerTools: 'portico.chat.brokerTools',
  elicitationWhere: 'portico.elicitation.where',
  trustedServers: 'portico.trust.servers',
  rootsInclude: 'portico.roots.include',
  rootsExclude: 'portico.roots.exclude',
  samplingModels: 'portico.sampling.models',
  samplingOrder: 'portico.sampling.order',
  samplingRequestsPerMinute: 'portico.sampling.requestsPerMinute',
  samplingTokensPerHour: 'portico.sampling.tokensPerHour',
  clientMetadataUrl: 'portico.auth.clientMetadataUrl',
  agentsEnabled: 'portico.agents.enabled',
  agentsScopes: 'portico.agents.scopes',
  agentsEditTools: 'portico.agents.editTools',
  agentsRunTools: 'portico.agents.runTools',
  agentsSaveEdits: 'portico.agents.saveEdits',
  agentsSecrets: 'portico.agents.secrets',
  agentsAllowedDirectories: 'portico.agents.allowedDirectories',
  agentsHiddenSources: 'portico.agents.hiddenDiagnosticSources',
  agentsPreferredPort: 'portico.agents.preferredPort',
  startTimeout: 'portico.advanced.startTimeout',
  requestTimeout: 'portico.advanced.requestTimeout',
  serverLogLevel: 'portico.advanced.serverLogLevel',
  idleStop: 'portico.advanced.idleStop',
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
  /** Activity shows what agents read, and not calls. */
  activityReads: 'portico.activityReads',
  /** A server's resources have never been listed. */
  resourcesUnknown: 'portico.resourcesUnknown',
  resourcesAsList: 'portico.resourcesAsList',
  /** This window is shared with agents. */
  sharing: 'portico.sharing',
  /** A text that an agent proposes waits for an answer. */
  proposalOpen: 'portico.proposalOpen',
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

/** The read-only file system of resources, results and call records. */
export const scheme = 'portico-mcp';

/** Previews of prompts, which can be edited before they are sent. */
export const promptScheme = 'portico-prompt';

export const walkthroughId = 'portico.start';
