import { Popover, Text, UnstyledButton } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProductLinks } from './product-links.tsx'
import { RegionPicker } from './region-picker.tsx'

/** Of the curb's side drawer: the product and the region to change to. */
export function SwitchMenu({ className }: { className: string }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <Popover opened={isOpen} onDismiss={close} position="right-end" width={300} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={className} onClick={() => setIsOpen(!isOpen)}>
          <IconArrowsExchange size={18} aria-hidden="true" />
          {t('shell:switch.label')}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t('shell:switch.label')}>
        <Text size="sm" fw={600} px={10} py={4}>
          {t('shell:switch.product')}
        </Text>
        <ProductLinks onFollow={close} />
        <Text size="sm" fw={600} px={10} py={4} mt="xs">
          {t('shell:switch.region')}
        </Text>
        <RegionPicker onChosen={close} />
      </Popover.Dropdown>
    </Popover>
  )
}
