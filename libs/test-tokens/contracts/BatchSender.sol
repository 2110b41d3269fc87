// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;

import {IERC20, SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// As exchanges pay out: many transfers, also of several tokens, in one transaction, which is sent to none of the tokens.
contract BatchSender {
    using SafeERC20 for IERC20;

    struct Transfer {
        IERC20 token;
        address to;
        uint256 units;
    }

    /// The tokens are those that the caller has approved to this contract.
    function send(Transfer[] calldata transfers) external {
        for (uint256 index = 0; index < transfers.length; ++index) {
            Transfer calldata one = transfers[index];
            one.token.safeTransferFrom(msg.sender, one.to, one.units);
        }
    }
}
