/** The open tasks of remote servers in the state of the workspace; looked at before anything of tasks is loaded. */
export const openTasksKey = 'tasks.open';
