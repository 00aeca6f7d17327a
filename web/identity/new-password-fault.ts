import { maxPasswordLength, minPasswordLength } from '#contract/password-rules.ts'

export interface NewPassword {
  password: string
  repeat: string
}

/** Finds the first error of a password typed twice, and its field; `text` is a key of `identity`. Null if valid. */
export function findNewPasswordFault({
  password,
  repeat,
}: NewPassword): { field: keyof NewPassword; text: string } | null {
  if (password.length < minPasswordLength) return { field: 'password', text: 'error.short' }
  if (password.length > maxPasswordLength) return { field: 'password', text: 'error.long' }
  return password === repeat ? null : { field: 'repeat', text: 'newPassword.differs' }
}
