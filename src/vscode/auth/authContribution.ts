import { DisposableStore } from '../../base/disposable';
import { commands } from '../../ids';
import { registerCommand } from '../interop/commands';
import type { Contribution } from '../interop/contribution';

/** Signing in to servers and out again, and the auth doctor. */
export const authContribution: Contribution = {
  name: 'sign-in',
  register(services) {
    const { logs } = services;
    const store = new DisposableStore();
    const on: typeof registerCommand = (id, log, run) => store.add(registerCommand(id, log, run));
    on(commands.signIn, logs, async (row) => (await import('./signIn')).signIn(services, row));
    on(commands.signOut, logs, async (row) => (await import('./signOut')).signOut(services, row));
    on(commands.diagnoseSignIn, logs, async (row) => (await import('./authDoctor')).diagnoseSignIn(services, row));
    return store;
  },
};
