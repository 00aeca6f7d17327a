/** Length of new passwords in characters (OWASP ASVS 2.1.1, 2.1.2). Older ones may be shorter. */
export const [minPasswordLength, maxPasswordLength] = [12, 128] as const
