import type { Language } from '#contract/identity.ts'

/** Locales of dates and numbers in mails. Spanish uses the 24-hour clock. */
export const mailLocales: Readonly<Record<Language, string>> = { 'en-US': 'en-US', es: 'es-US-u-hc-h23' }

type Factor = 'totp' | 'phone'

interface Mail {
  subject: string
  text: string
}

/** Mails and text messages about accounts, in one language. */
interface AccountTexts {
  invitation: (from: string, link: string) => Mail
  passwordReset: (link: string) => Mail
  passwordChanged: () => Mail
  factorAdded: (factor: Factor) => Mail
  factorRemoved: (factor: Factor) => Mail
  recoveryCodesRenewed: () => Mail
  /** A text message with a code for a sign-in. */
  code: (code: string) => string
}

const factorNames: Readonly<Record<Language, Readonly<Record<Factor, string>>>> = {
  'en-US': { totp: 'An authenticator app', phone: 'A phone number for text messages' },
  es: { totp: 'una aplicación de autenticación', phone: 'un número de teléfono para mensajes de texto' },
}

const notYouText =
  'If this was not you, choose a new password immediately and inform an administrator of your organization.\n'
const notYouSpanish =
  'Si no fue usted, elija de inmediato una nueva contraseña y avise a un administrador de su organización.\n'

const english: AccountTexts = {
  invitation: (from, link) => ({
    subject: 'Your invitation to Publicway',
    text: `${from} invited you to Publicway.\n\nChoose a password here within seven days:\n${link}\n`,
  }),
  passwordReset: (link) => ({
    subject: 'Choose a new password for Publicway',
    text: `A new password was requested for your Publicway account. If you requested it, choose the password here within one hour:\n${link}\n\nIf you did not request it, ignore this e-mail. Your password does not change.\n`,
  }),
  passwordChanged: () => ({
    subject: 'Your Publicway password was changed',
    text: `The password of your Publicway account was changed, and all of its sessions were signed out.\n\n${notYouText}`,
  }),
  factorAdded: (factor) => ({
    subject: 'A second factor was added to your Publicway account',
    text: `${factorNames['en-US'][factor]} was added to your Publicway account. From now on it is required when you sign in.\n\n${notYouText}`,
  }),
  factorRemoved: (factor) => ({
    subject: 'A second factor was removed from your Publicway account',
    text: `${factorNames['en-US'][factor]} was removed from your Publicway account. It is no longer required when you sign in.\n\n${notYouText}`,
  }),
  recoveryCodesRenewed: () => ({
    subject: 'New recovery codes for your Publicway account',
    text: `New recovery codes were created for your Publicway account. The previous codes no longer work.\n\n${notYouText}`,
  }),
  code: (code) => `${code} is your Publicway code. Do not share it with anybody.`,
}

const spanish: AccountTexts = {
  invitation: (from, link) => ({
    subject: 'Su invitación a Publicway',
    text: `${from} le invitó a Publicway.\n\nElija aquí una contraseña en un plazo de siete días:\n${link}\n`,
  }),
  passwordReset: (link) => ({
    subject: 'Elija una nueva contraseña para Publicway',
    text: `Se solicitó una nueva contraseña para su cuenta de Publicway. Si la solicitó usted, elíjala aquí en el plazo de una hora:\n${link}\n\nSi no la solicitó, ignore este correo. Su contraseña no cambia.\n`,
  }),
  passwordChanged: () => ({
    subject: 'Se cambió su contraseña de Publicway',
    text: `Se cambió la contraseña de su cuenta de Publicway y se cerraron todas sus sesiones.\n\n${notYouSpanish}`,
  }),
  factorAdded: (factor) => ({
    subject: 'Se agregó un segundo factor a su cuenta de Publicway',
    text: `Se agregó ${factorNames.es[factor]} a su cuenta de Publicway. A partir de ahora se pedirá al iniciar sesión.\n\n${notYouSpanish}`,
  }),
  factorRemoved: (factor) => ({
    subject: 'Se quitó un segundo factor de su cuenta de Publicway',
    text: `Se quitó ${factorNames.es[factor]} de su cuenta de Publicway. Ya no se pedirá al iniciar sesión.\n\n${notYouSpanish}`,
  }),
  recoveryCodesRenewed: () => ({
    subject: 'Nuevos códigos de recuperación para su cuenta de Publicway',
    text: `Se crearon nuevos códigos de recuperación para su cuenta de Publicway. Los códigos anteriores ya no funcionan.\n\n${notYouSpanish}`,
  }),
  code: (code) => `${code} es su código de Publicway. No lo comparta con nadie.`,
}

export const mailTexts: Readonly<Record<Language, AccountTexts>> = { 'en-US': english, es: spanish }
