/** Texts of e-mails and text messages about accounts, in English. */
export const mailTexts = {
  passwordReset: (link: string) => ({
    subject: 'Choose a new password for Publicway',
    text: `A new password was requested for your Publicway account. If you requested it, choose the password here within one hour:\n${link}\n\nIf you did not request it, ignore this e-mail. Your password does not change.\n`,
  }),
  passwordChanged: () => ({
    subject: 'Your Publicway password was changed',
    text: `The password of your Publicway account was changed, and all of its sessions were signed out.\n\n${notYouText}`,
  }),
  factorAdded: (factor: string) => ({
    subject: 'A second factor was added to your Publicway account',
    text: `${factor} was added to your Publicway account. From now on it is required when you sign in.\n\n${notYouText}`,
  }),
  factorRemoved: (factor: string) => ({
    subject: 'A second factor was removed from your Publicway account',
    text: `${factor} was removed from your Publicway account. It is no longer required when you sign in.\n\n${notYouText}`,
  }),
  recoveryCodesRenewed: () => ({
    subject: 'New recovery codes for your Publicway account',
    text: `New recovery codes were created for your Publicway account. The previous codes no longer work.\n\n${notYouText}`,
  }),
  code: (code: string) => `${code} is your Publicway code. Do not share it with anybody.`,
}

const notYouText =
  'If this was not you, choose a new password immediately and inform an administrator of your organization.\n'
