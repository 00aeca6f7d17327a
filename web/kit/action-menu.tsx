import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconDots, IconExternalLink, type Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'

/** Returns the portal target of menus: outside of tables and panels, which would clip them, but within `main`. */
const findMainLandmark = (): HTMLElement => document.querySelector('main') ?? document.body

/** An item of a menu; it has one of `onSelect`, `to` and `href`. */
export interface MenuAction {
  key: string
  label: string
  icon?: Icon
  isDanger?: boolean | undefined
  /** Marks the selected one of several items. */
  isCurrent?: boolean
  /** What the item does: a callback, a path within the app (`to`) or an external URL (`href`). */
  onSelect?: () => void
  to?: string
  search?: Record<string, unknown>
  href?: string
  /** File name of the download at `href`. */
  download?: string
  /** Tooltip for a link that opens in a new tab. */
  newTab?: string
}

interface Props {
  /** The labeled button that opens the menu. */
  target: ReactElement
  actions: readonly MenuAction[]
  position?: 'bottom-start' | 'bottom-end' | 'top-end' | 'right-end'
  width?: number
  /** Content above the items: text, and groups of `Menu.RadioItem`. */
  before?: ReactNode
}

/** A menu that a button opens, with arrow keys, Home and End; Escape returns the focus to the button. */
export function ActionMenu({ target, actions, position = 'bottom-end', width = 260, before }: Props) {
  return (
    <Menu
      position={position}
      width={width}
      shadow="md"
      portalProps={{ target: findMainLandmark() }}
      floatingStrategy="fixed"
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {before}
        {actions.map(({ key, ...action }) => (
          <ActionItem key={key} {...action} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** An item of a menu: a button, a link within the app, or a link to another site or file. */
function ActionItem({
  label,
  icon: ItemIcon,
  isDanger,
  isCurrent,
  onSelect,
  to,
  search,
  href,
  download,
  newTab,
}: Omit<MenuAction, 'key'>) {
  const CurrentIcon = isCurrent ? IconCheck : null
  const RightIcon = newTab ? IconExternalLink : CurrentIcon
  const itemProps = {
    children: label,
    ...(ItemIcon ? { leftSection: <ItemIcon size={16} aria-hidden="true" /> } : {}),
    ...(RightIcon ? { rightSection: <RightIcon size={16} aria-hidden="true" /> } : {}),
    ...(isDanger ? { color: 'red' } : {}),
    ...(isCurrent ? { 'aria-current': true } : {}),
  }
  if (to)
    return (
      <Menu.Item
        {...itemProps}
        renderRoot={(props) => <Link {...props} to={to} search={search as never} />}
      />
    )
  if (href)
    return (
      <Menu.Item
        {...itemProps}
        component="a"
        href={href}
        download={download}
        {...(newTab ? { target: '_blank', rel: 'noreferrer', title: newTab } : {})}
      />
    )
  return <Menu.Item {...itemProps} onClick={onSelect} />
}

/** A menu of actions for a row or card, behind a button with three dots. */
export function RowMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  return (
    <ActionMenu
      actions={actions}
      target={
        <ActionIcon variant="subtle" color="gray" aria-label={label} title={label}>
          <IconDots size={18} />
        </ActionIcon>
      }
    />
  )
}
