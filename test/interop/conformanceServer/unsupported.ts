const tasks =
  'The extension for tasks (SEP-2663) is not built on this side: long runs are started and asked about by tools.';

/** Scenarios that are not required and not passed, by name, with the reason. */
export const UNSUPPORTED: Readonly<Record<string, string>> = {
  'tasks-lifecycle': tasks,
  'tasks-capability-negotiation': tasks,
  'tasks-wire-fields': tasks,
  'tasks-request-state-removal': tasks,
  'tasks-mrtr-input': tasks,
  'tasks-request-headers': tasks,
  'tasks-dispatch-and-envelope': tasks,
  'tasks-status-notifications': tasks,
  'tasks-required-task-error': tasks,
  'tasks-mrtr-composition': tasks,
  'server-sse-polling': 'Streams are not resumed: an answer that was not received is asked for again.',
  'http-custom-header-server-validation': 'No tool of ours has arguments that are repeated in headers.',
};
