import {
  changePermissionsOn,
  changeUser,
  changeUserRoles,
  createRole,
  deleteRole,
  deleteUser,
  getOnboardingLink,
  getOwnData,
  getPersonData,
  getPermissionsOn,
  getUserRoles,
  inviteUser,
  listAudit,
  listPermissionHolders,
  listRoles,
  listUsers,
  removeSecondFactors,
  renewInvitation,
  startImpersonation,
} from '#contract/users.ts'
import { deleteSavedView, listSavedViews, saveView } from '#contract/saved-views.ts'
import { type Route, route } from '#server/http/route.ts'
import { changeUser as change } from './change-user.ts'
import { deleteUser as remove } from './delete-user.ts'
import { findPermissionHolders } from './find-permission-holders.ts'
import { startImpersonation as impersonate } from './impersonation.ts'
import { type InvitationParts, inviteUser as invite, renewInvitation as renew } from './invite-user.ts'
import { listAudit as auditOf } from './list-audit.ts'
import { listUsers as usersOf } from './find-managed-users.ts'
import { onboardingLink, type PasswordLink } from './onboarding-link.ts'
import { changePermissionsOn as changeOn, findPermissionsOn } from './permissions-on.ts'
import { ownData, personData } from './person-data.ts'
import { removeSecondFactors as removeFactors } from './remove-second-factors.ts'
import { createRole as addRole, deleteRole as removeRole, listRoles as rolesOf } from './roles.ts'
import * as views from './saved-views.ts'
import { changeUserRoles as changeRoles, findUserRoles } from './user-roles.ts'

export const userRoutes = (parts: InvitationParts & { passwordLink: PasswordLink }): Route[] => {
  const { state } = parts
  return [
    route(listUsers, ({ viewer, query }) => usersOf(state, viewer, query)),
    route(inviteUser, ({ viewer, body, at }) => invite(parts, viewer, body, at)),
    route(changeUser, ({ viewer, params, body }) => change(parts, viewer, params.user_id, body)),
    route(removeSecondFactors, ({ viewer, params }) => removeFactors(state, viewer, params.user_id)),
    route(deleteUser, ({ viewer, params }) => remove(state, viewer, params.user_id)),
    route(getPersonData, ({ viewer, params, at }) => personData(state, viewer, params.user_id, at)),
    route(getOwnData, ({ viewer, at }) => ownData(state, viewer, at)),
    route(renewInvitation, ({ viewer, params, at }) => renew(parts, viewer, params.user_id, at)),
    route(getOnboardingLink, ({ params, at }) =>
      onboardingLink(state, parts.passwordLink, params.onboarding_uuid, at),
    ),
    route(listRoles, ({ viewer }) => rolesOf(state.as(viewer.scope))),
    route(createRole, ({ viewer, body }) => addRole(state.as(viewer.scope), viewer.organizationId, body)),
    route(deleteRole, ({ viewer, params }) => removeRole(state, viewer, params.role_id)),
    route(getUserRoles, ({ viewer, params }) => findUserRoles(state, viewer, params.user_id)),
    route(changeUserRoles, ({ viewer, params, body }) =>
      changeRoles(state, viewer, params.user_id, body.role_ids),
    ),
    route(getPermissionsOn, ({ viewer, params }) => findPermissionsOn(state, viewer, params)),
    route(changePermissionsOn, ({ viewer, params, body }) =>
      changeOn(state, viewer, params, body.permissions),
    ),
    route(listAudit, ({ viewer, query }) => auditOf(state, viewer, query)),
    route(listPermissionHolders, ({ viewer, params, query }) =>
      findPermissionHolders(state, viewer, params.region_id, query.key),
    ),
    route(listSavedViews, async ({ viewer, params }) => ({
      items: await views.listSavedViews(state, viewer, params.region_id),
    })),
    route(saveView, ({ viewer, params, body, at }) =>
      views.saveView(state, viewer, params.region_id, body, at),
    ),
    route(deleteSavedView, ({ viewer, params }) =>
      views.deleteSavedView(state, viewer, params.region_id, params.view_id),
    ),
    route(startImpersonation, ({ viewer, body }) => impersonate(state, viewer, body)),
  ]
}
