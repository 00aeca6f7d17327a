/**
 * Length of new passwords in characters (OWASP ASVS 2.1.1 and 2.1.2).
 * Passwords set before this rule may be shorter.
 */
export const [minPasswordLength, maxPasswordLength] = [12, 128] as const
