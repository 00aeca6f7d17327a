import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyField } from '#web/kit/copy-field.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { Warning } from '#web/kit/warning.tsx'

/** A new key or secret, which cannot be shown again. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys:secret.title')} size={620} onClose={onClose}>
      <Stack gap="md">
        <Warning title={t('keys:secret.once')}>{t('keys:secret.store')}</Warning>
        <CopyField label={t('keys:secret.label')} value={secret} />
        <Text size="sm" c="dimmed">
          {t('keys:secret.use')}
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('keys:secret.close')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
