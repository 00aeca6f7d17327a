import { maxPasswordLength, minPasswordLength } from '#contract/password-rules.ts'

export interface NewPassword {
  password: string
  repeat: string
}

/** The error in a password that was typed twice, by field; `text` is a key of `identity`. Null without an error. */
export function newPasswordFault({
  password,
  repeat,
}: NewPassword): { on: keyof NewPassword; text: string } | null {
  if (password.length < minPasswordLength) return { on: 'password', text: 'error.short' }
  if (password.length > maxPasswordLength) return { on: 'password', text: 'error.long' }
  return password === repeat ? null : { on: 'repeat', text: 'newPassword.differs' }
}
