import { settings, useApi } from '../api/support.js';
import { sendHostileBodies } from './hostile-bodies.js';

settings.OUTDIAL_PROVIDER = 'simulator';
useApi();

sendHostileBodies({ share: 1 });
