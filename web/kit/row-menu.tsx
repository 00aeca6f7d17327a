import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, type Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

/** Tables cut off what overflows, so the menu is drawn outside of them, but within the landmark of the page. */
const landmark = (): HTMLElement => document.querySelector('main') ?? document.body

export interface RowAct {
  key: string
  label: string
  icon: Icon
  isDanger?: boolean | undefined
  /** What the item does; or where it leads, within the app (`to`) or by loading the page anew (`href`). */
  onAct?: () => void
  to?: string
  search?: Record<string, unknown>
  href?: string
}

/**
 * What can be done with a row, behind a button: a menu with arrow keys, Home and End; Escape gives the focus back to the
 * button.
 */
export function RowMenu({ label, acts }: { label: string; acts: readonly RowAct[] }) {
  const item = ({ key, label: text, icon: ActIcon, isDanger, onAct, to, search, href }: RowAct) => {
    const look = {
      leftSection: <ActIcon size={16} aria-hidden="true" />,
      ...(isDanger ? { color: 'red' } : {}),
    }
    if (to)
      return (
        <Menu.Item
          key={key}
          {...look}
          renderRoot={(props) => <Link {...props} to={to} search={search as never} />}
        >
          {text}
        </Menu.Item>
      )
    if (href)
      return (
        <Menu.Item key={key} {...look} component="a" href={href}>
          {text}
        </Menu.Item>
      )
    return (
      <Menu.Item key={key} {...look} onClick={onAct}>
        {text}
      </Menu.Item>
    )
  }
  return (
    <Menu
      position="bottom-end"
      width={260}
      shadow="md"
      withinPortal
      portalProps={{ target: landmark() }}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label} title={label}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{acts.map(item)}</Menu.Dropdown>
    </Menu>
  )
}
