import type { Config } from '#server/config.ts'
import type { Background } from '#server/jobs/background.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Mail, Sms } from '#server/mail/message.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'

/** Dependencies of sign-in. */
export interface AuthParts {
  state: State
  config: Pick<Config, 'publicUrl'>
  secretBox: SecretBox
  mail: Mail
  sms: Sms
  background: Background
  log: Log
  now: () => Date
}
