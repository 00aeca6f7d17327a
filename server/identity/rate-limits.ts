/** Calls that one address may make in a minute, by path; `*` stands for any rest. The per-account limits stand with the calls themselves. */
export const rateLimits = {
  '/sign-in/email': { window: 60, max: 10 },
  '/request-password-reset': { window: 60, max: 5 },
  '/reset-password': { window: 60, max: 10 },
  '/change-password': { window: 60, max: 10 },
  '/two-factor/send-otp': { window: 60, max: 5 },
  '/two-factor/*': { window: 60, max: 15 },
  '/multi-factor/phone/start': { window: 60, max: 5 },
  '/multi-factor/**': { window: 60, max: 15 },
}
