/** Characters of a new password; passwords of before may be shorter (OWASP ASVS 2.1.1 and 2.1.2). */
export const [minPasswordLength, maxPasswordLength] = [12, 128] as const
