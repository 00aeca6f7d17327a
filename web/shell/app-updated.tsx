import { Button, Group, Text } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { otherVersion } from '#web/data/signals.ts'
import { Dialog } from '#web/kit/dialog.tsx'

/** The server was updated while this page was open. Whoever is in the middle of something may go on first. */
export function AppUpdated() {
  const { t } = useTranslation()
  const isOther = useSyncExternalStore(otherVersion.watch, otherVersion.read)
  const [isLater, setLater] = useState(false)
  if (!isOther || isLater) return null
  return (
    <Dialog title={t('shell:updated.title')} onClose={() => setLater(true)}>
      <Text>{t('shell:updated.text')}</Text>
      <Group justify="flex-end" mt="md" gap="sm">
        <Button variant="default" onClick={() => setLater(true)}>
          {t('shell:updated.later')}
        </Button>
        <Button data-autofocus onClick={() => location.reload()}>
          {t('shell:updated.reload')}
        </Button>
      </Group>
    </Dialog>
  )
}
