interface Reachable {
  method: 'GET' | 'POST'
  /** Asks for a session: that of a disabled user is none. */
  signedIn: boolean
}

const open = { method: 'POST', signedIn: false } as const
const signedIn = { method: 'POST', signedIn: true } as const

/**
 * The addresses below /api/auth that answer; every other one of the identity library, also of its next version, is not found.
 * So nobody changes e-mail, name or organization, signs up, links accounts or turns a factor on past our own rules.
 */
export const reachablePaths: Readonly<Record<string, Reachable>> = {
  '/sign-in/email': open,
  '/sign-out': open,
  '/request-password-reset': open,
  '/reset-password': open,
  '/two-factor/send-otp': open,
  '/two-factor/verify-otp': open,
  '/two-factor/verify-totp': open,
  '/two-factor/verify-backup-code': open,
  '/change-password': signedIn,
  '/get-session': { method: 'GET', signedIn: true },
  '/list-sessions': { method: 'GET', signedIn: true },
  '/revoke-session': signedIn,
  '/revoke-other-sessions': signedIn,
  '/multi-factor/totp/start': signedIn,
  '/multi-factor/totp/finish': signedIn,
  '/multi-factor/phone/start': signedIn,
  '/multi-factor/phone/finish': signedIn,
  '/multi-factor/unenrol': signedIn,
  '/multi-factor/recovery-codes': signedIn,
}
