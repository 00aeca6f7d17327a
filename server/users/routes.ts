import * as contract from '#contract/users.ts'
import { deleteSavedView, listSavedViews, saveView } from '#contract/saved-views.ts'
import { type Route, route } from '#server/http/route.ts'
import { changeUser } from './change-user.ts'
import { deleteUser } from './delete-user.ts'
import { listPermissionHolders } from './find-permission-holders.ts'
import { startImpersonation } from './impersonation.ts'
import { type InvitationParts, inviteUser, renewInvitation } from './invite-user.ts'
import { listAudit } from './list-audit.ts'
import { listUsers } from './find-managed-users.ts'
import { getOnboardingLink, type CreatePasswordLink } from './onboarding-link.ts'
import { changePermissionsOn, getPermissionsOn } from './permissions-on.ts'
import { getOwnData, getPersonData } from './person-data.ts'
import { removeSecondFactors } from './remove-second-factors.ts'
import { createRole, deleteRole, listRoles } from './roles.ts'
import * as views from './saved-views.ts'
import { changeUserRoles, getUserRoles } from './user-roles.ts'

export const userRoutes = (parts: InvitationParts & { createPasswordLink: CreatePasswordLink }): Route[] => {
  const { state } = parts
  return [
    route(contract.listUsers, ({ viewer, query }) => listUsers(state, viewer, query)),
    route(contract.inviteUser, ({ viewer, body, at }) => inviteUser(parts, viewer, body, at)),
    route(contract.changeUser, ({ viewer, params, body }) => changeUser(parts, viewer, params.user_id, body)),
    route(contract.removeSecondFactors, ({ viewer, params }) =>
      removeSecondFactors(state, viewer, params.user_id),
    ),
    route(contract.deleteUser, ({ viewer, params }) => deleteUser(state, viewer, params.user_id)),
    route(contract.getPersonData, ({ viewer, params, at }) =>
      getPersonData(state, viewer, params.user_id, at),
    ),
    route(contract.getOwnData, ({ viewer, at }) => getOwnData(state, viewer, at)),
    route(contract.renewInvitation, ({ viewer, params, at }) =>
      renewInvitation(parts, viewer, params.user_id, at),
    ),
    route(contract.getOnboardingLink, ({ params, at }) =>
      getOnboardingLink(state, parts.createPasswordLink, params.onboarding_uuid, at),
    ),
    route(contract.listRoles, ({ viewer }) => listRoles(state.as(viewer.scope))),
    route(contract.createRole, ({ viewer, body }) =>
      createRole(state.as(viewer.scope), viewer.organizationId, body),
    ),
    route(contract.deleteRole, ({ viewer, params }) => deleteRole(state, viewer, params.role_id)),
    route(contract.getUserRoles, ({ viewer, params }) => getUserRoles(state, viewer, params.user_id)),
    route(contract.changeUserRoles, ({ viewer, params, body }) =>
      changeUserRoles(state, viewer, params.user_id, body.role_ids),
    ),
    route(contract.getPermissionsOn, ({ viewer, params }) => getPermissionsOn(state, viewer, params)),
    route(contract.changePermissionsOn, ({ viewer, params, body }) =>
      changePermissionsOn(state, viewer, params, body.permissions),
    ),
    route(contract.listAudit, ({ viewer, query }) => listAudit(state, viewer, query)),
    route(contract.listPermissionHolders, ({ viewer, params, query }) =>
      listPermissionHolders(state, viewer, params.region_id, query.key),
    ),
    route(listSavedViews, async ({ viewer, params }) => ({
      items: await views.listSavedViews(state, viewer, params.region_id),
    })),
    route(saveView, (call) => views.saveView(state, call)),
    route(deleteSavedView, ({ viewer, params }) =>
      views.deleteSavedView(state, viewer, params.region_id, params.view_id),
    ),
    route(contract.startImpersonation, ({ viewer, body }) => startImpersonation(state, viewer, body)),
  ]
}
