import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#web/kit/dialog.tsx'
import { CopyField } from '#web/kit/copy-field.tsx'

interface Props {
  title: string
  email: string
  link: string
  /** Whether the server sent the link by e-mail. */
  isMailed: boolean
  onClose: () => void
}

/** Shows the link of an invitation, because some servers send no mail. */
export function InvitationDialog({ title, email, link, isMailed, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog size={560} title={title} onClose={onClose}>
      <Stack gap="md">
        <Text>
          {t(isMailed ? 'users:invite.doneText.mailed' : 'users:invite.doneText.notMailed', { email })}{' '}
          {t('users:invite.doneText.valid')}
        </Text>
        <CopyField label={t('users:invite.link')} value={link} />
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            {t('kit:close')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
