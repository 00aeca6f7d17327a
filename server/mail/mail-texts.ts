/** Texts of all mails and text messages of accounts, in English. */
export const mailTexts = {
  passwordReset: (link: string) => ({
    subject: 'Choose a new password for Publicway',
    text: `Somebody asked for a new password for your Publicway account. If that was you, choose it here within one hour:\n${link}\n\nIf it was not you, nothing has to be done: your password stays as it is.\n`,
  }),
  passwordChanged: () => ({
    subject: 'Your Publicway password was changed',
    text: `The password of your Publicway account was changed, and everybody who was signed in with it was signed out.\n\n${notYouText}`,
  }),
  factorAdded: (factor: string) => ({
    subject: 'A second factor was added to your Publicway account',
    text: `${factor} was added to your Publicway account. From now on it is asked for when you sign in.\n\n${notYouText}`,
  }),
  factorRemoved: (factor: string) => ({
    subject: 'A second factor was removed from your Publicway account',
    text: `${factor} was removed from your Publicway account. It is no longer asked for when you sign in.\n\n${notYouText}`,
  }),
  recoveryCodesRenewed: () => ({
    subject: 'New recovery codes for your Publicway account',
    text: `New recovery codes were made for your Publicway account. The codes before them no longer work.\n\n${notYouText}`,
  }),
  code: (code: string) => `${code} is your Publicway code. Do not tell it to anybody.`,
}

const notYouText =
  'If this was not you, choose a new password at once and tell an administrator of your organization.\n'
