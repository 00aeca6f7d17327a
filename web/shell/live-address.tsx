import { Anchor, Button, Group } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '#web/kit/copy-field.tsx'

/** Where everybody sees what is published, to be copied or opened. */
export function LiveAddress({ address }: { address: string }) {
  const { t } = useTranslation()
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap" mb="md" maw={720}>
      <div style={{ flex: 1, minWidth: 0 }}>
        <CopyField label={t('shell:publicPage.live')} value={`${location.origin}${address}`} />
      </div>
      {/* Beside the input, below its label. */}
      <Anchor href={address} target="_blank" rel="noreferrer" title={t('shell:newTab')} size="sm" pt={32}>
        {t('shell:publicPage.openOne')}
      </Anchor>
    </Group>
  )
}

/** Opens the public page of what a library publishes. */
export function PublicPageButton({ address }: { address: string }) {
  const { t } = useTranslation()
  return (
    <Button
      variant="default"
      component="a"
      href={address}
      target="_blank"
      rel="noreferrer"
      title={t('shell:newTab')}
      leftSection={<IconWorld size={18} />}
    >
      {t('shell:publicPage.open')}
    </Button>
  )
}
