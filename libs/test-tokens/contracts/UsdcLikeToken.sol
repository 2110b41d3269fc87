// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;

import {PlainToken} from "./PlainToken.sol";

/// As Circle's contracts behave: standard returns, and neither a blacklisted sender nor a blacklisted recipient.
contract UsdcLikeToken is PlainToken {
    mapping(address account => bool) public isBlacklisted;
    bool public paused;

    error Paused();
    error Blacklisted(address account);

    function pause() external onlyOwner {
        paused = true;
    }

    function unpause() external onlyOwner {
        paused = false;
    }

    function blacklist(address account) external onlyOwner {
        isBlacklisted[account] = true;
    }

    function unBlacklist(address account) external onlyOwner {
        isBlacklisted[account] = false;
    }

    function _update(address from, address to, uint256 units) internal override {
        require(!paused, Paused());
        require(!isBlacklisted[from], Blacklisted(from));
        require(!isBlacklisted[to], Blacklisted(to));
        super._update(from, to, units);
    }
}
