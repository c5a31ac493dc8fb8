import { DashboardPage } from '../dashboard-page.tsx'

/** The same page as the dashboard: its content depends on the reader. */
export const OwnDashboardPage = () => <DashboardPage />
