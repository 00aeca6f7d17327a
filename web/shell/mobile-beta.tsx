import { Button, Group, Modal, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ContactButton } from './contact-button.tsx'

/** Sizes between the small layout and the desktop. */
export function MobileBeta({ onContinue }: { onContinue: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal.Root opened onClose={onContinue} centered size={440}>
      <Modal.Overlay />
      <Modal.Content p="lg">
        <Modal.Title fw={650} fz="lg">
          {t('shell:beta.title')}
        </Modal.Title>
        <Text my="md">{t('shell:beta.text')}</Text>
        <Group justify="flex-end" gap="sm">
          <ContactButton about="size" />
          <Button data-autofocus onClick={onContinue}>
            {t('shell:beta.continue')}
          </Button>
        </Group>
      </Modal.Content>
    </Modal.Root>
  )
}
