import { Button, CopyButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#web/kit/dialog.tsx'
import { mailtoUrl, support } from './support.ts'

interface Props {
  subject: string
  /** Prefilled text. */
  message: string
  onClose: () => void
}

/** A prefilled message to support that users can edit and send with their mail program. */
export function ContactDialog({ subject, message, onClose }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useState(message)
  const email = support.email()
  return (
    <Dialog title={t('shell:contact.title')} onClose={onClose}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {email ? t('shell:contact.to', { email }) : t('shell:contact.toNobody')}
        </Text>
        <Textarea
          data-autofocus
          label={t('shell:contact.message')}
          rows={7}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="sm">
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? t('shell:contact.copied') : t('shell:contact.copy')}
              </Button>
            )}
          </CopyButton>
          <Button component="a" href={mailtoUrl(email, subject, text)}>
            {t('shell:contact.send')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
