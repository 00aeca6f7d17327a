import { randomUUID } from 'node:crypto'
import { dayMs } from '#contract/period.ts'
import type { ManagedUser } from '#contract/users.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findLanguage } from '#server/identity/find-user.ts'
import { revokeCredentials } from '#server/identity/revoke-credentials.ts'
import { systemScope } from '#server/identity/scope.ts'
import { mailTexts } from '#server/mail/mail-texts.ts'
import type { State } from '#server/stores/state.ts'
import { administer, requireAdministered } from './administer.ts'
import { checkOperators, type ListOperators } from './check-operators.ts'
import { findManagedUser } from './find-managed-users.ts'
import { checkRegions, setRegions } from './set-regions.ts'
import { checkRoles, setRoles } from './user-roles.ts'

interface InvitedUser {
  email: string
  name: string
  role_ids: string[]
  region_ids: string[] | null
  operators: string[] | null
}

export interface InvitationParts {
  state: State
  send: (mail: { to: string; subject: string; text: string }) => Promise<void>
  publicUrl: string
  /** Whether `send` sends mail; otherwise it writes to the log. */
  sendsMail: boolean
  listOperators: ListOperators
}

interface SentInvitation {
  onboarding_link: string
  is_mailed: boolean
}

/** The time for which an invitation is valid. */
const invitationMs = 7 * dayMs

/**
 * Creates a user without a password and mails a link at which to choose one.
 * @throws Problem `conflict` if a user of any organization has the e-mail.
 */
export async function inviteUser(
  parts: InvitationParts,
  viewer: Viewer,
  newUser: InvitedUser,
  at: Date,
): Promise<{ user: ManagedUser } & SentInvitation> {
  const { state } = parts
  const email = newUser.email.toLowerCase()
  if (newUser.region_ids) await checkRegions(state, viewer, newUser.region_ids)
  await checkRoles(state.as(viewer.scope), newUser.role_ids)
  const operators = await checkOperators(parts.listOperators, viewer, newUser.operators)
  // E-mails are unique across organizations. Nothing else about the other user is disclosed.
  if (
    await state.as(systemScope).selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
  )
    throw new Problem('conflict', `The e-mail ${email} is taken.`)
  const userId = randomUUID()
  // The viewer's language applies until the user chooses one.
  const language = await findLanguage(state, viewer.userId)
  await administer(state, viewer, [userId], async (store) => {
    await store
      .insertInto('user')
      .values({
        id: userId,
        email,
        name: newUser.name,
        emailVerified: false,
        image: null,
        organizationId: viewer.organizationId,
        invited: true,
        operators,
        language,
        updatedAt: at,
      })
      .execute()
    await setRegions(store, viewer.organizationId, userId, newUser.region_ids)
    await setRoles(store, viewer.organizationId, userId, newUser.role_ids)
  })
  const sentInvitation = await sendInvitation(parts, viewer, { id: userId, email }, at)
  return { user: await findManagedUser(state, viewer, userId), ...sentInvitation }
}

/** Sends a new invitation to a user who has not signed in yet. It replaces the previous one. */
export async function renewInvitation(
  parts: InvitationParts,
  viewer: Viewer,
  userId: string,
  at: Date,
): Promise<SentInvitation> {
  const user = await findManagedUser(parts.state, viewer, userId)
  await requireAdministered(parts.state, viewer, userId)
  if (!user.invited)
    throw new Problem(
      'conflict',
      'This user has come already. A forgotten password is reset on the sign-in page.',
    )
  return sendInvitation(parts, viewer, user, at)
}

/** Replaces the invitation of a user and mails its link. */
async function sendInvitation(
  { state, send, publicUrl, sendsMail }: InvitationParts,
  viewer: Viewer,
  { id, email }: { id: string; email: string },
  at: Date,
): Promise<SentInvitation> {
  const invitation = {
    onboarding_uuid: randomUUID(),
    user_id: id,
    organization_id: viewer.organizationId,
    expires_time: new Date(at.getTime() + invitationMs),
  }
  const store = state.as(viewer.scope)
  // Also ends sessions and password links of the previous invitation.
  await revokeCredentials(state, id)
  await store.deleteFrom('invitation').where('user_id', '=', id).execute()
  await store.insertInto('invitation').values(invitation).execute()
  const link = `${publicUrl}/onboarding/${invitation.onboarding_uuid}`
  const texts = mailTexts[await findLanguage(state, id)]
  await send({ to: email, ...texts.invitation(viewer.email, link) })
  return { onboarding_link: link, is_mailed: sendsMail }
}
