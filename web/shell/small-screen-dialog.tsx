import { Button, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Small screens choose between the whole application and the live map made for them. */
export function SmallScreenDialog({ onFull, onLive }: { onFull: () => void; onLive: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal.Root opened onClose={onFull} centered size={380}>
      <Modal.Overlay />
      <Modal.Content p="lg">
        <Modal.Title fw={650} fz="lg">
          {t('shell:small.title')}
        </Modal.Title>
        <Text my="md">{t('shell:small.text')}</Text>
        <Stack gap="sm">
          <Button data-autofocus onClick={onLive}>
            {t('shell:small.live')}
          </Button>
          <Button variant="default" onClick={onFull}>
            {t('shell:small.full')}
          </Button>
        </Stack>
      </Modal.Content>
    </Modal.Root>
  )
}
