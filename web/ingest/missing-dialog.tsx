import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Import } from '#contract/ingest.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { answerKey } from './answer-key.ts'
import { MissingForm } from './missing-form.tsx'

interface Props {
  given: Import
  onClose: () => void
}

/** For a list of vehicles that does not tell when they stood there, or whose they are. */
export function MissingDialog({ given, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog title={t(answerKey(given.asks))} onClose={onClose}>
      <Text size="sm" c="dimmed" mb="md">
        {given.file_name}: {given.asks.map((each) => t(`ingest:asks.${each}`)).join(' ')}
      </Text>
      {given.notes.map((note) => (
        <Text key={note} size="sm" mb="md">
          {note}
        </Text>
      ))}
      <MissingForm given={given} onDone={onClose} />
    </Dialog>
  )
}
