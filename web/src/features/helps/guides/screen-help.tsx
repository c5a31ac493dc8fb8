import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { GuideDialog } from './guide-dialog.tsx'
import { guideForPath } from './guide-ids.ts'

type Props = { opened: boolean; onClose: () => void }

/** The guide of the current screen, over it. A screen without one leads to all guides. */
export function ScreenHelp({ opened, onClose }: Props) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const id = guideForPath(pathname)
  const leave = useEffectEvent(() => {
    onClose()
    void navigate({ to: '/helps' })
  })
  useEffect(() => {
    if (opened && id === null) leave()
  }, [opened, id])
  return <GuideDialog id={id} opened={opened} onClose={onClose} />
}
