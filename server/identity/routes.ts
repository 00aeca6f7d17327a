import {
  changeMe,
  getDemo,
  getHealth,
  getMe,
  getMyPermissions,
  getPing,
  getRoot,
  getServerLoad,
  listFeatureFlags,
} from '#contract/identity.ts'
import { permissionKeys } from '#contract/permission.ts'
import type { Admission } from '#server/http/admission.ts'
import { Problem } from '#server/http/problem.ts'
import { type Route, route } from '#server/http/route.ts'
import { apiVersion } from '#server/http/serve.ts'
import type { State } from '#server/stores/state.ts'
import { findFeatureFlags } from './feature-flags.ts'
import { changeOwnSettings, findUser } from './find-user.ts'

/**
 * Routes of the signed-in user, of the demo and of the server's state.
 * @param demoSignIns accounts of the demo city, which its sign-in page shows; empty on other servers
 */
export const identityRoutes = (
  state: State,
  demoSignIns: readonly { email: string; password: string; role: string }[],
  disk: () => Promise<'ok' | 'full'>,
  admission: Pick<Admission, 'state'>,
): Route[] => [
  route(getDemo, () => {
    if (!demoSignIns.length) throw new Problem('not_found', 'This server has no demo city.')
    return { sign_ins: [...demoSignIns] }
  }),
  route(getRoot, () => ({ status: 'ok' as const, version: apiVersion })),
  route(getHealth, async () => ({ status: 'ok' as const, version: apiVersion, disk: await disk() })),
  route(getServerLoad, () => admission.state),
  route(getPing, () => ({ status: 'ok' as const, version: apiVersion })),
  route(getMe, ({ viewer }) => findUser(state, viewer)),
  route(changeMe, ({ viewer, body }) => changeOwnSettings(state, viewer, body)),
  route(listFeatureFlags, ({ viewer }) => findFeatureFlags(state.as(viewer.scope))),
  route(getMyPermissions, ({ viewer }) =>
    permissionKeys.map((key) => ({ key, enabled: viewer.permissions.includes(key) })),
  ),
]
