import { Modal } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { getPing } from '#contract/identity.ts'
import { call } from '#web/data/client.ts'
import { unreachable } from '#web/data/signals.ts'

const lookAgainMs = 3000
const look = (): void => void call(getPing, {}).catch(() => undefined)

/**
 * Stands in the way while there is no network. That the browser says so is not enough: a server on the same machine
 * answers without any network.
 */
export function OfflineBlocker() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  const isUnreachable = useSyncExternalStore(unreachable.watch, unreachable.read)
  const isCut = !online && isUnreachable

  // Nothing else may ask the server for long: it is asked as soon as the browser says so, and again until the browser
  // says otherwise, because an answer that was on its way is no network.
  useEffect(() => {
    if (online) return
    look()
    const timer = setInterval(look, lookAgainMs)
    return () => clearInterval(timer)
  }, [online])

  if (!isCut) return null
  return (
    <Modal.Root opened onClose={() => undefined} closeOnEscape={false} closeOnClickOutside={false} centered>
      <Modal.Overlay />
      <Modal.Content p="lg">
        <Modal.Title fw={650} fz="lg">
          {t('shell:offline.title')}
        </Modal.Title>
        <p>{t('shell:offline.text')}</p>
      </Modal.Content>
    </Modal.Root>
  )
}
