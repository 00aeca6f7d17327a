import type { AuthContext } from './auth-context.ts'

/** After a new password: whatever the old one opened is closed, sessions, sign-ins half done and links for passwords. */
export async function endCredentials({ context }: { context: AuthContext['context'] }, userId: string): Promise<void> {
  await context.internalAdapter.deleteUserSessions(userId)
  await context.adapter.deleteMany({ model: 'verification', where: [{ field: 'value', value: userId }] })
}
