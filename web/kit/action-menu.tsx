import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconDots, IconExternalLink, type Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'

/** Tables and panels cut off what overflows: the menu is drawn outside of them, within the landmark of the page. */
const mainLandmark = (): HTMLElement => document.querySelector('main') ?? document.body

export interface MenuAction {
  key: string
  label: string
  icon?: Icon
  isDanger?: boolean | undefined
  /** The one of several that is chosen now. */
  isCurrent?: boolean
  /** What the item does; or where it leads, within the app (`to`) or out of it (`href`). */
  onSelect?: () => void
  to?: string
  search?: Record<string, unknown>
  href?: string
  /** Name of the file that `href` brings. */
  download?: string
  /** Says so where `href` opens in a new tab. */
  newTab?: string
}

interface Props {
  /** The button that opens the menu and names it. */
  target: ReactElement
  acts: readonly MenuAction[]
  position?: 'bottom-start' | 'bottom-end' | 'top-end' | 'right-end'
  width?: number
  /** Above the acts: text, and groups of `Menu.RadioItem`. */
  before?: ReactNode
}

/** Things to do, behind a button: a menu with arrow keys, Home and End; Escape returns the focus to the button. */
export function ActionMenu({ target, acts, position = 'bottom-end', width = 260, before }: Props) {
  return (
    <Menu
      position={position}
      width={width}
      shadow="md"
      portalProps={{ target: mainLandmark() }}
      floatingStrategy="fixed"
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {before}
        {acts.map(({ key, ...act }) => (
          <ActionItem key={key} {...act} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function ActionItem({
  label,
  icon: ActIcon,
  isDanger,
  isCurrent,
  onSelect: onAct,
  to,
  search,
  href,
  download,
  newTab,
}: Omit<MenuAction, 'key'>) {
  const Right = newTab ? IconExternalLink : isCurrent ? IconCheck : null
  const look = {
    children: label,
    ...(ActIcon ? { leftSection: <ActIcon size={16} aria-hidden="true" /> } : {}),
    ...(Right ? { rightSection: <Right size={16} aria-hidden="true" /> } : {}),
    ...(isDanger ? { color: 'red' } : {}),
    ...(isCurrent ? { 'aria-current': true } : {}),
  }
  if (to)
    return (
      <Menu.Item {...look} renderRoot={(props) => <Link {...props} to={to} search={search as never} />} />
    )
  if (href)
    return (
      <Menu.Item
        {...look}
        component="a"
        href={href}
        download={download}
        {...(newTab ? { target: '_blank', rel: 'noreferrer', title: newTab } : {})}
      />
    )
  return <Menu.Item {...look} onClick={onAct} />
}

/** What can be done with a row of a table. */
export function RowMenu({ label, acts }: { label: string; acts: readonly MenuAction[] }) {
  return (
    <ActionMenu
      acts={acts}
      target={
        <ActionIcon variant="subtle" color="gray" aria-label={label} title={label}>
          <IconDots size={18} />
        </ActionIcon>
      }
    />
  )
}
