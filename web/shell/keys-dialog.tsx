import { Group, Kbd, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#web/kit/dialog.tsx'
import { ContactButton } from './contact-button.tsx'

/** What the keys do. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const keys = [
    ['T', t('shell:help.table')],
    [t('shell:help.arrows'), t('shell:help.pan')],
    ['+ / −', t('shell:help.zoom')],
    ['Tab', t('shell:help.controls')],
    ['Esc', t('shell:help.clear')],
  ] as const
  return (
    <Dialog title={t('shell:settings.keys')} onClose={onClose}>
      <Table>
        <Table.Tbody>
          {keys.map(([key, text]) => (
            <Table.Tr key={key}>
              <Table.Td>
                <Kbd>{key}</Kbd>
              </Table.Td>
              <Table.Td>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end" mt="md">
        <ContactButton about="help" />
      </Group>
    </Dialog>
  )
}
