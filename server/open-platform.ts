import { openBasemap } from './basemap/open-basemap.ts'
import { appVersion, type Config } from './config.ts'
import { Derivation } from './derived/derivation.ts'
import { LayerMembership } from './geography/membership/layer-membership.ts'
import { openAuth } from './identity/auth.ts'
import { systemScope } from './identity/scope.ts'
import { openBackground } from './jobs/background.ts'
import { Jobs } from './jobs/jobs.ts'
import type { Log } from './jobs/log.ts'
import { openStartupLog } from './jobs/startup-log.ts'
import { SentMessages } from './mail/message.ts'
import { openMail } from './mail/open-mail.ts'
import { openSms } from './mail/open-sms.ts'
import { openTraces } from './metrics/traces.ts'
import { checkSecretKey } from './operations/upgrade/check-secret-key.ts'
import { openStores } from './operations/upgrade/open-stores.ts'
import { openBlobStore } from './stores/blobs/open-blob-store.ts'
import { openSecretBox } from './stores/secret-box.ts'

/** What every room needs: stores, sign-in, jobs, and the runner of derived data. */
export type Platform = Awaited<ReturnType<typeof openPlatform>>

/** Opens the stores and the services that are independent of a city. */
export async function openPlatform(config: Config, log: Log) {
  const startup = openStartupLog(log)
  const closeTraces =
    config.otlpUrl === null ? null : openTraces({ url: config.otlpUrl, version: appVersion, fetch, log })
  const basemap = await startup.step('basemap', () => openBasemap(config, log))
  const now = (): Date => new Date()
  const { state, facts } = await startup.step('stores', () => openStores(config, log, now))
  const blobs = openBlobStore(config, now)
  const secretBox = openSecretBox(config)
  // Servers that share a database must have the same key; the server of an embedded store may change its own.
  if (config.databaseUrl !== null) await checkSecretKey(state, secretBox)
  const sentMessages = config.development ? new SentMessages() : null
  const background = openBackground(log)
  const mail = openMail({ config, log, sentMessages, now })
  const sms = openSms({ config, log, sentMessages, now })
  const auth = await startup.step('sign-in', () =>
    openAuth({ state, config, secretBox, mail, sms, background, log, now }),
  )
  const jobs = await startup.step('job queue', () =>
    new Jobs({ state, store: state.as(systemScope), log, now }).open(),
  )
  return {
    config,
    log,
    now,
    startup,
    closeTraces,
    basemap,
    state,
    facts,
    blobs,
    secretBox,
    sentMessages,
    background,
    mail,
    auth,
    jobs,
    membership: new LayerMembership(state, facts),
    derivation: new Derivation({ state, log, nowMs: Date.now }),
    /** Whether this is the only server of its stores. */
    isAlone: config.databaseUrl === null,
  }
}
