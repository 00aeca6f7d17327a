/** The same bounds as the server's (characters). */
const least = 10
const most = 128

export interface NewPassword {
  password: string
  repeat: string
}

/** What is wrong with a password that was typed twice, on which field; `text` is a key of `identity`. Null where nothing is. */
export function newPasswordFault({
  password,
  repeat,
}: NewPassword): { on: keyof NewPassword; text: string } | null {
  if (password.length < least) return { on: 'password', text: 'error.short' }
  if (password.length > most) return { on: 'password', text: 'error.long' }
  return password === repeat ? null : { on: 'repeat', text: 'newPassword.differs' }
}
