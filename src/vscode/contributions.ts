import { type Disposable, DisposableStore } from '../base/disposable';
import { activityContribution } from './activity/activity';
import { agentsContribution } from './agents/agentsContribution';
import { approvalsContribution } from './approvals/approvals';
import { authContribution } from './auth/authContribution';
import { participantContribution } from './chat/participant';
import { rootsContribution } from './clientFeatures/roots';
import { configLanguageContribution } from './config/configLanguage';
import { reviewContribution } from './consent/review';
import { gatewayContribution } from './gateway/registerGateway';
import { documentsContribution } from './documents/documents';
import type { Contribution, Services } from './interop/contribution';
import { promptsContribution } from './prompts/prompts';
import { resourcesContribution } from './resources/resources';
import { runToolContribution } from './runTool/runTool';
import { serversContribution } from './servers/serversContribution';
import type { ServersPorts } from './servers/serversPorts';
import { statusContribution } from './status/statusItem';
import { tasksContribution } from './tasks/tasks';
import { brokerContribution } from './tools/brokerTools';

/** All that Portico adds to the editor, in the order in which it appears to the person. */
export function contributions(
  ports: ServersPorts & { readonly sampling: Contribution; readonly sharing: Contribution },
): readonly Contribution[] {
  return [
    serversContribution(ports),
    resourcesContribution,
    reviewContribution(ports.consentUi),
    authContribution,
    rootsContribution,
    ports.sampling,
    statusContribution,
    documentsContribution,
    runToolContribution,
    tasksContribution,
    promptsContribution,
    activityContribution,
    approvalsContribution,
    gatewayContribution,
    ports.sharing,
    agentsContribution,
    participantContribution,
    brokerContribution,
    configLanguageContribution,
  ];
}

/** Registers each on its own: one that fails is logged, and the others go on. */
export function registerContributions(all: readonly Contribution[], services: Services): Disposable {
  const store = new DisposableStore();
  for (const contribution of all) {
    try {
      store.add(contribution.register(services));
    } catch (error) {
      services.logs.own.error(`The part "${contribution.name}" could not be set up; the others go on.`, error);
    }
  }
  return store;
}
